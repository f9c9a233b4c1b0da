declare global {
  var openerProcessState: Map<string, object> | undefined
}

/**
 * What exists once in a process. Of our modules the web process has two copies: Node's own, which answer the API, and those
 * that the framework compiled in for pages; in development each reload adds one. The first that asks for a name makes what
 * it stands for, and every copy has that very object.
 *
 * Copies share no classes: an `AppError` that another one threw is none here. So what is kept says by values what became
 * of a thing, or is data that each copy's own code works on.
 */
export function processState<T extends object>(name: string, make: () => T): T {
  globalThis.openerProcessState ??= new Map()
  const kept = globalThis.openerProcessState
  // A name stands for one type: tests/architecture/process-state.test.ts sees to it that it is said in one place.
  const known = kept.get(name) as T | undefined
  if (known) return known
  const made = make()
  kept.set(name, made)
  return made
}
