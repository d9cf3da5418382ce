/**
 * The playground may load from, and talk to, its own origin alone, so that code from a link cannot call out. The page carries
 * it (playground/vite.config.ts), for hosts that send no headers, and our server sends it too.
 * 'unsafe-eval': visitors' code and WebAssembly; blob: workers, which take over the policy of who started them.
 */
export const POLICY: string = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-eval' blob:",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
