import type { ConnectedAccount } from '#lib/contracts/senders/connected-accounts'
import { textLimits } from '#lib/domain/social/social-limits'
import { KINDS, type Kind, NETWORKS } from './kinds.tsx'

/** Those that the campaign acts from: the one it names, or every LinkedIn account of its owner. */
export function actingAccounts(accounts: ConnectedAccount[], chosen: string | null): ConnectedAccount[] {
  return accounts.filter(({ account_id, provider }) =>
    chosen === null ? provider === 'linkedin' : account_id === chosen,
  )
}

export const accountLabel = ({ name, provider, kind, status }: ConnectedAccount): string =>
  `${name} · ${NETWORKS[provider] ?? provider} ${kind}${status === 'disconnected' ? ' (signed out)' : ''}`

/** Why none of the accounts may act so; null where one may. */
export function accountObstacle(kind: Kind, acting: ConnectedAccount[]): string | null {
  if (kind === 'email') return null
  const connected = acting.filter(({ status }) => status !== 'disconnected')
  if (acting.length === 0) return 'No connected account can do this.'
  if (connected.length === 0) return 'The account is signed out, so the campaign would stop at this step.'
  const isAble = connected.some(({ limits }) => {
    const cap = limits.caps.find(({ action_type }) => action_type === kind)
    return !cap || (cap.day !== 0 && cap.week !== 0)
  })
  return isAble
    ? null
    : `The cap for “${KINDS[kind].label}” is 0 on this kind of account, so it would never happen.`
}

export type Room = { text: number; subject: number | null; isNote: boolean }

/** Most characters of what a step says from the tightest of its accounts; null where it says nothing. */
export function textRoom(kind: Kind, acting: ConnectedAccount[]): Room | null {
  const limits = acting.length > 0 ? acting.map(textLimits) : [textLimits({ provider: '', kind: '' })]
  const least = (key: keyof ReturnType<typeof textLimits>) => Math.min(...limits.map((limit) => limit[key]))
  switch (kind) {
    case 'connection_request':
      return { text: least('note'), subject: null, isNote: true }
    case 'message':
      return { text: least('message'), subject: null, isNote: false }
    case 'inmail':
      return { text: least('inmail'), subject: least('inmail_subject'), isNote: false }
    case 'comment_post':
      return { text: least('comment'), subject: null, isNote: false }
    default:
      return null
  }
}
