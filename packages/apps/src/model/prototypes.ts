/** The methods of models on prototypes, bound to the object that they are read from */
import { linear } from "./linear.js";

/** A prototype whose methods stay with their object: const { transform } = await pca(rows, { p: 2 }) works. */
export function prototypeOf(methods: object, base: object = {}): object {
  const own = Object.getOwnPropertyDescriptors(methods);
  const bound = Object.entries(own).map(([name, descriptor]): [string, PropertyDescriptor] => {
    const method: unknown = descriptor.value;
    if (typeof method !== "function") return [name, descriptor];
    return [name, { get: getter(method as (...args: never[]) => unknown), configurable: true }];
  });
  return Object.defineProperties(Object.create(base), Object.fromEntries(bound));
}

function getter(method: (...args: never[]) => unknown) {
  return function (this: object): unknown {
    return method.bind(this as never);
  };
}

/** The methods of an affine map */
export const ofMaps: object = /* @__PURE__ */ prototypeOf(linear);
