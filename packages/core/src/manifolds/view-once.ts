import type { Tall } from "@expen/linalg";

/** A view of each point, made once */
export function viewOnce<P extends object>(view: (X: Tall) => P): (X: Tall) => P {
  const views = new WeakMap<Tall, P>();
  return (X) => {
    let parts = views.get(X);
    if (!parts) views.set(X, (parts = view(X)));
    return parts;
  };
}
