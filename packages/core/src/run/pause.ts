/** Gives the event loop a turn, without the milliseconds that a timer may wait. */
export const pause = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof setImmediate === "function") {
      setImmediate(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
