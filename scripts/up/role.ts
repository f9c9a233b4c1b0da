import { Trouble } from '#scripts/up/trouble'

/** What this machine does of an instance: all of it, what people and programs ask for, or the background work. */
export const ROLES = ['all', 'web', 'engine'] as const
export type Role = (typeof ROLES)[number]

type Given = Record<string, string | undefined>

export function readRole({ ROLE }: Given): Role {
  if (!ROLE) return 'all'
  const role = ROLES.find((known) => known === ROLE)
  if (!role) throw new Trouble(`ROLE is "${ROLE}": it must be one of ${ROLES.join(', ')}.`)
  return role
}

/** What all processes of a divided instance must have in common, and so cannot make for themselves. */
const SHARED: Record<Exclude<Role, 'all'>, string[]> = {
  web: ['DATABASE_URL', 'ENCRYPTION_KEY', 'NEXTAUTH_SECRET', 'APP_URL'],
  engine: ['DATABASE_URL', 'ENCRYPTION_KEY', 'APP_URL'],
}

/** Where files may lie so that every process finds them: one of these. */
const SHARED_FILES = ['S3_BUCKET', 'BLOB_READ_WRITE_TOKEN', 'FILES_DIR']

/** Refuses to start a part of an instance that the other parts could not work with. */
export function requireShared(role: Role, given: Given): void {
  if (role === 'all') return
  const missing = SHARED[role].filter((name) => !given[name])
  if (missing.length > 0)
    throw new Trouble(
      `ROLE=${role} shares an instance with other processes: set ${missing.join(', ')} to the same on all of them.`,
    )
  if (SHARED_FILES.some((name) => given[name])) return
  throw new Trouble(
    `ROLE=${role} needs file storage shared by all processes: set one of ${SHARED_FILES.join(', ')}.`,
  )
}
