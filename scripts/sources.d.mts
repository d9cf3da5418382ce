/** Each package entry and its source, as vite takes them */
export const aliases: { find: RegExp; replacement: string }[];
