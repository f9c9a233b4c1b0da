declare global {
  var openerProcessState: Map<string, object> | undefined
}

/**
 * State that exists once per process. The web process has two copies of our modules: Node's own, which answer the API, and those
 * that the framework compiled for the pages; in development each reload adds one. The first caller with a name creates the
 * object, and every copy gets that same object.
 * Copies share no classes: an `AppError` thrown by another copy is not an instance of this copy's class. So shared state reports
 * outcomes as values, or is data on which each copy's own code works.
 */
export function processState<T extends object>(name: string, make: () => T): T {
  globalThis.openerProcessState ??= new Map()
  const kept = globalThis.openerProcessState
  // One name has one type: tests/architecture/process-state.test.ts checks that each name is used in one place only.
  const known = kept.get(name) as T | undefined
  if (known) return known
  const made = make()
  kept.set(name, made)
  return made
}
