import { afterAll, vi } from 'vitest'
import { Env, env } from '#lib/env'

// Runs before each file of a process that several share, after what names its database: each file begins with the environment that
// the first one got, and the product reads what the file then says, though it read that of an earlier one before.
const kept = globalThis as {
  openerTestEnvironment?: NodeJS.ProcessEnv
  openerTestValues?: Map<string, unknown>
}
kept.openerTestEnvironment ??= { ...process.env }
if (kept.openerTestValues) restore(kept.openerTestEnvironment)
kept.openerTestValues ??= readAsItIs()
kept.openerTestValues.clear()
vi.useRealTimers()

// Connections go where the file's environment said: those of the next file are its own.
afterAll(async () => {
  for (const name of ['mail provider', 'notification mail']) {
    const held = globalThis.openerProcessState?.get(name) as Held | undefined
    await held?.provider?.close()
    if (held) held.provider = undefined
  }
})

type Held = { provider?: { close(): Promise<void> } | undefined }

function restore(given: NodeJS.ProcessEnv) {
  // The runner's own names say which worker this is.
  const names = Object.keys({ ...process.env, ...given }).filter((name) => !name.startsWith('VITEST'))
  for (const name of names)
    if (given[name] === undefined) delete process.env[name]
    else process.env[name] = given[name]
}

/**
 * The product keeps the environment that it read first. Here each of its values is read when it is asked for; answered is what a
 * test has set on the object itself.
 */
function readAsItIs(): Map<string, unknown> {
  const values = new Map<string, unknown>()
  const known = env()
  for (const [name, shape] of Object.entries(Env.shape)) {
    const read = () => shape.parse(process.env[name] || undefined)
    Object.defineProperty(known, name, {
      enumerable: true,
      get: () => (values.has(name) ? values.get(name) : read()),
      set: (value: unknown) => values.set(name, value),
    })
  }
  return values
}
