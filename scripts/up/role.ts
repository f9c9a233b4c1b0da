import { Trouble } from '#scripts/up/trouble'

/** The part of an instance that this machine runs: all of it, the web server for people and programs, or the background work. */
export const ROLES = ['all', 'web', 'engine'] as const
export type Role = (typeof ROLES)[number]

type Given = Record<string, string | undefined>

export function readRole({ ROLE }: Given): Role {
  if (!ROLE) return 'all'
  const role = ROLES.find((known) => known === ROLE)
  if (!role) throw new Trouble(`ROLE is "${ROLE}": it must be one of ${ROLES.join(', ')}.`)
  return role
}

/** Secrets and addresses that all processes of a divided instance must share, so they cannot be generated. */
const SHARED: Record<Exclude<Role, 'all'>, string[]> = {
  web: ['DATABASE_URL', 'ENCRYPTION_KEY', 'NEXTAUTH_SECRET', 'APP_URL'],
  engine: ['DATABASE_URL', 'ENCRYPTION_KEY', 'APP_URL'],
}

/** Where files may be stored so that every process finds them: one of these. */
const SHARED_FILES = ['S3_BUCKET', 'BLOB_READ_WRITE_TOKEN', 'FILES_DIR']

/** Refuses to start a part of an instance that could not work with the other parts. */
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
