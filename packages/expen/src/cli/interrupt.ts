const CODES = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof CODES;

interface Interruptible {
  controller: AbortController;
  /** what the process ends with once a signal has come, 128 + its number */
  interrupted(): number | undefined;
  release(): void;
}

/** Ctrl-C, or a request to end (SIGTERM), ends a run at its next iteration, with what it has; a second one ends the process. */
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
