import { db } from '#lib/db/client'
import type {
  PublishedPost,
  SocialImage,
  SocialOutcome,
  SocialPostMetrics,
  SocialProvider,
} from '#lib/providers/social/port'

let made = 0

export async function anAccount(
  owner: { workspace_id: string; user_id: string },
  fields: {
    provider?: string
    is_default?: boolean
    status?: 'connected' | 'disconnected'
    name?: string
  } = {},
) {
  made += 1
  return db.connectedAccount.create({
    data: {
      workspace_id: owner.workspace_id,
      provider: 'linkedin',
      driver: 'sandbox',
      provider_account_id: `account-${process.pid}-${made}`,
      name: `Account ${made}`,
      ...fields,
    },
  })
}

export type Publication = {
  account: string
  text: string
  image: SocialImage | null
  reference: string
  id: string
}
type Publish = SocialOutcome<PublishedPost>
type Shown = PublishedPost & { text: string; at: Date }

const unused = (): never => {
  throw new Error('This network is only posted on.')
}

/**
 * A network in memory that counts what is published on it. `answer` decides the outcome of each attempt: without an outcome it is
 * accepted; with `taken: true` it is published even if the outcome says otherwise.
 */
export function memoryNetwork(
  clock: () => Date,
  answer: (
    offer: number,
  ) => { outcome?: Publish; taken?: boolean } | Promise<{ outcome?: Publish; taken?: boolean }> = () => ({}),
) {
  const published: Publication[] = []
  const shown: (Shown & { account: string })[] = []
  const deleted: string[] = []
  let offers = 0
  let metrics: (id: string) => SocialPostMetrics = () => ({
    impressions: 1,
    reactions: 0,
    comments: 0,
    reposts: null,
  })
  let refusal: SocialOutcome<null> | null = null
  let reading: Error | null = null
  const provider: SocialProvider = {
    name: 'sandbox',
    authLink: unused,
    account: unused,
    disconnect: unused,
    person: unused,
    act: unused,
    messages: unused,
    connections: unused,
    events: unused,
    async publish({ provider_account_id: account }, { text, image }, reference) {
      offers += 1
      const { outcome, taken } = await answer(offers)
      const id = `urn:${process.pid}:${offers}`
      const result = {
        provider_post_id: id,
        social_id: `social-${offers}`,
        url: `https://social.test/${offers}`,
      }
      if (!outcome || taken) {
        published.push({ account, text, image, reference, id })
        shown.push({ ...result, account, text, at: clock() })
      }
      return outcome ?? { outcome: 'accepted', response: '201', result }
    },
    async deletePost(_, id) {
      if (refusal) return refusal
      deleted.push(id)
      return { outcome: 'accepted', response: '204', result: null }
    },
    async recentPosts({ provider_account_id }) {
      if (reading) throw reading
      return shown.filter(({ account }) => account === provider_account_id).toReversed()
    },
    async postMetrics(_, id) {
      if (reading) throw reading
      return metrics(id)
    },
  }
  return {
    provider,
    findProvider: () => provider,
    published,
    deleted,
    offers: () => offers,
    setMetrics: (counts: typeof metrics) => {
      metrics = counts
    },
    refuseDeletion: (outcome: SocialOutcome<null> | null) => {
      refusal = outcome
    },
    failReading: (error: Error | null) => {
      reading = error
    },
  }
}
