'use server'

import type { SampleKind } from '#lib/contracts/sandbox/samples'
import * as operations from '#lib/operations/sandbox/samples'
import { action } from '../../action.ts'

const SAID: Record<SampleKind, string> = {
  campaign: 'A sample campaign is ready, with made-up leads and texts.',
  leads: 'The sample leads are being read.',
  template: 'Two sample templates are added.',
  sender_profile: 'A sample profile is added.',
  post: 'A sample post is added as a draft.',
  suppression: 'A sample entry is added.',
  history: 'Two sample campaigns are added, with results and replies. Everyone in them is made up.',
}

/** Used by SampleButton in the empty state of any list. */
export const addSampleData = action(operations.addSamples, (kind: SampleKind) => ({ body: { kind } }), {
  anew: '/',
  said: (_, kind) => SAID[kind],
})

export const removeSampleData = action(operations.removeSamples, () => ({}), {
  anew: '/',
  said: ({ kept }) => (kept.length === 0 ? 'Sample data removed.' : `The rest stays: ${kept.join(' ')}`),
})
