import {
  type SocialAccountRef,
  type SocialAction,
  type SocialActionResult,
  type SocialOutcome,
  type SocialPerson,
  type SocialProvider,
  SocialReadError,
  type SocialRelation,
} from '#lib/providers/social/port'

export type ActDone = { account: string; reference: string; action: SocialAction }
type Answer = SocialOutcome<SocialActionResult> | null

const unused = (): never => {
  throw new Error('This network only takes actions.')
}

/**
 * A social network in memory: everybody exists, except handles that begin with "nobody". It records what it was offered;
 * `answer` decides the outcome of each action (null: it is accepted and carried out).
 */
export function memorySocial(answer: (done: ActDone) => Answer | Promise<Answer> = () => null) {
  const done: ActDone[] = []
  const asked: string[] = []
  const relations = new Map<string, SocialRelation>()
  let busy = 0
  let mostBusy = 0
  let reading: SocialReadError | null = null
  const provider: SocialProvider = {
    name: 'sandbox',
    authLink: unused,
    account: unused,
    disconnect: unused,
    publish: unused,
    deletePost: unused,
    recentPosts: unused,
    postMetrics: unused,
    messages: unused,
    connections: unused,
    events: unused,
    async person(_account: SocialAccountRef, identifier: string): Promise<SocialPerson> {
      asked.push(identifier)
      if (reading) throw reading
      const handle = identifier.split('/').at(-1) ?? ''
      if (handle.startsWith('nobody')) throw new SocialReadError('not_found', 'Nobody is called so.')
      const provider_id = `id-${handle}`
      const relation = relations.get(provider_id) ?? 'none'
      const invitation_id = relation === 'invited' ? `inv-${handle}` : null
      return { provider_id, handle, name: handle, headline: null, avatar_url: null, relation, invitation_id }
    },
    async act(account, action, reference) {
      busy += 1
      mostBusy = Math.max(mostBusy, busy)
      const offer = { account: account.provider_account_id, reference, action }
      done.push(offer)
      try {
        const said = await answer(offer)
        if (said) return said
      } finally {
        busy -= 1
      }
      const { provider_id, action_type } = action
      if (action_type === 'connection_request') relations.set(provider_id, 'invited')
      if (action_type === 'withdraw_invitation') relations.set(provider_id, 'none')
      const talks = action_type === 'message' || action_type === 'inmail'
      return {
        outcome: 'accepted',
        response: 'Done.',
        result: {
          chat_id: talks ? `chat-${provider_id}` : null,
          message_id: talks ? `message-${reference}` : null,
          invitation_id: action_type === 'connection_request' ? `inv-${provider_id}` : null,
        },
      }
    },
  }
  return {
    provider,
    drivers: () => provider,
    done,
    asked,
    relations,
    mostBusy: () => mostBusy,
    failReading: (error: SocialReadError | null) => {
      reading = error
    },
  }
}
