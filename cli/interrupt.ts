/** Ctrl-C ends a run at its next iteration; a second one ends the process. */
export function interruptible(): { controller: AbortController; interrupted: () => boolean; release: () => void } {
  const controller = new AbortController();
  let interrupted = false;
  const onSignal = (): void => {
    if (interrupted) process.exit(130);
    interrupted = true;
    controller.abort();
  };
  process.on("SIGINT", onSignal);
  return { controller, interrupted: () => interrupted, release: () => process.off("SIGINT", onSignal) };
}
