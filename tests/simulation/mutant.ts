/** One rule of sending, broken on purpose by changing the text of a file. */
export type Mutant = {
  name: string
  /** Only worlds with social steps can notice. */
  social?: boolean
  /** Only worlds with two workspaces can notice. */
  neighbours?: boolean
  /** Only worlds whose mailboxes sign in by OAuth can notice. */
  granted?: boolean
  /** Tests that fail on the mutant themselves; they run before any seed. */
  tests?: string
  patches: { file: string; find: string; replace: string }[]
}

export const one = (name: string, file: string, find: string, replace: string): Mutant => ({
  name,
  patches: [{ file, find, replace }],
})
export const told = (tests: string, ...of: Parameters<typeof one>): Mutant => ({ ...one(...of), tests })
export const social = (...of: Parameters<typeof one>): Mutant => ({ ...one(...of), social: true })

export const next = (...of: Parameters<typeof one>): Mutant => ({ ...one(...of), neighbours: true })
export const granted = (...of: Parameters<typeof one>): Mutant => ({ ...one(...of), granted: true })
