/** EXPEN_BLAS: the path or name of a library, or `none`, which hides every library of the machine. An empty value is no value. */
import { environment } from "@expen/linalg";

const HIDE = "none";

const value = (): string | undefined => environment.EXPEN_BLAS || undefined;

export const isBlasHidden = (): boolean => value() === HIDE;

/** The library that the variable names */
export const libraryOfUser = (): string | undefined => (isBlasHidden() ? undefined : value());
