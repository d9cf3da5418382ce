/** exit codes, 128 and the number of the signal */
const CODES = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof CODES;

interface Interruptible {
  controller: AbortController;
  /** the exit code after a signal, 128 + its number */
  interrupted(): number | undefined;
  release(): void;
}

/** Ctrl-C or SIGTERM ends a run at its next iteration with its last point; a second signal ends the process. */
export function interruptible(): Interruptible {
  const controller = new AbortController();
  let code: number | undefined;
  const onSignal = (signal: Signal): void => {
    if (code !== undefined) process.exit(CODES[signal]);
    code = CODES[signal];
    controller.abort();
  };
  const signals = Object.keys(CODES) as Signal[];
  for (const signal of signals) process.on(signal, onSignal);
  return {
    controller,
    interrupted: () => code,
    release() {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
