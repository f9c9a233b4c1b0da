import { Fragment, type ReactNode } from 'react'
import type { Lock } from '#components/ui/controls/lock'
import { Callout } from '#components/ui/feedback/callout'
import { findLock, findWorkLock } from './section-lock.tsx'

type Props = {
  changes: Parameters<typeof findLock>[0]
  /** The object, which another member may own. */
  work?: Parameters<typeof findWorkLock>[0]
  children: ReactNode
}

/** Why the signed-in user may only view a page: their role, or because another member owns its object. */
export const findViewLock = async ({ changes, work }: Pick<Props, 'changes' | 'work'>) =>
  (await findLock(changes)) ?? (work ? await findWorkLock(work) : null)

/** Wraps a form. Users who may not save it see why and whom to ask, and its fields are disabled. */
export async function ViewOnly({ children, ...asked }: Props) {
  const lock = await findViewLock(asked)
  if (!lock) return children
  return (
    <>
      <Callout title="You can view this, but not change it">
        {lock.reason} <Whom {...lock} />
      </Callout>
      <fieldset disabled className="contents">
        {children}
      </fieldset>
    </>
  )
}

/** The same as plain text. */
export const lockInWords = (lock: Lock) =>
  lock.people.length === 0
    ? lock.reason
    : `${lock.reason} ${whomWords(lock)}${firstFew(lock.people, ({ name }) => name).join(' or ')}.`

/** The reason for another member's work already says to ask an admin. */
const whomWords = ({ isOthersWork }: Pick<Lock, 'isOthersWork'>) => (isOthersWork ? 'Here that is ' : 'Ask ')

type People = Lock['people']
const firstFew = <T,>(people: People, toShown: (person: People[number]) => T) =>
  people.slice(0, 3).map(toShown)

function Whom(lock: Lock) {
  const { people } = lock
  if (people.length === 0) return null
  return (
    <>
      {whomWords(lock)}
      {firstFew(people, ({ name, email }) => (
        <Fragment key={email}>
          {email !== people[0]?.email && ' or '}
          <a href={`mailto:${email}`}>{name}</a>
        </Fragment>
      ))}
      .
    </>
  )
}
