const shared = globalThis as { perProcess?: Map<string, unknown> };
shared.perProcess ??= new Map();
const kept = shared.perProcess;

/** A value that is expensive to make, shared by all test files of a process. */
export function perProcess<T>(name: string, make: () => T): T {
  if (!kept.has(name)) kept.set(name, make());
  return kept.get(name) as T;
}
