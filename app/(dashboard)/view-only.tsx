import { Fragment, type ReactNode } from 'react'
import type { Lock } from '#components/ui/controls/lock'
import { Callout } from '#components/ui/feedback/callout'
import { findLock, findWorkLock } from './section-lock.tsx'

type Props = {
  changes: Parameters<typeof findLock>[0]
  /** What somebody else may have made. */
  work?: Parameters<typeof findWorkLock>[0]
  children: ReactNode
}

/** Why the signed-in user may only look at a page: their role, or that somebody else made what is on it. */
export const findViewLock = async ({ changes, work }: Pick<Props, 'changes' | 'work'>) =>
  (await findLock(changes)) ?? (work ? await findWorkLock(work) : null)

/** Around a form. Whoever may not save it is told so, and whom to ask, before they type: nothing in it can be filled in. */
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

/** The same where only words fit. */
export const lockInWords = (lock: Lock) =>
  lock.people.length === 0
    ? lock.reason
    : `${lock.reason} ${whomWords(lock)}${firstFew(lock.people, ({ name }) => name).join(' or ')}.`

/** Why a member may not change another's work says already that an admin is to be asked. */
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
