import { expect, test } from 'vitest'
import { operationWords } from '#components/workspaces/operation-words'
import { contracts } from '#lib/contracts/all'

test('what was done reads as people say it', () => {
  const words = {
    pauseCampaign: 'paused campaign',
    verifyDomain: 'verified domain',
    retryCampaignLeads: 'retried campaign leads',
    holdCampaignLead: 'held campaign lead',
    undoCampaignEdit: 'undid campaign edit',
    tagPeople: 'tagged people',
    splitPerson: 'split person',
    createApiKey: 'created API key',
    createDatasetFromUrl: 'created dataset from URL',
    createSignInDomain: 'created sign-in domain',
    giveMailbox: 'gave a mailbox to a member',
  }
  for (const [id, said] of Object.entries(words)) expect(operationWords(id)).toBe(said)
})

/** Past forms that were reviewed by hand: add a new verb here once its past form is correct English. */
const PAST =
  'accepted acted added adopted answered applied approved asked authorized began canceled changed checked chose compared completed connected created deleted discarded disconnected drafted duplicated edited erased fetched forecast forwarded gave handed held imported kept launched left let looked marked merged paused personalized prepared previewed processed proved published reconnected redelivered regenerated rejected released removed renamed rendered replaced replied reported resent resolved resumed retried revoked rolled rotated saved sent set split started stopped suppressed synced tagged tested took transferred turned undid uploaded verified'.split(
    ' ',
  )

test('no operation that changes something makes up a past', () => {
  const changing = Object.values(contracts).filter(({ method }) => method !== 'GET')
  const verbs = new Set(changing.map(({ id }) => operationWords(id).split(' ')[0]))
  expect([...verbs].filter((verb) => verb && !PAST.includes(verb))).toEqual([])
  expect(changing.length).toBeGreaterThan(100)
})
