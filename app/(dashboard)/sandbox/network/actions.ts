'use server'

import { actInSandboxNetwork } from '#lib/operations/sandbox/sandbox'
import { action } from '../../../action.ts'

/** Actions of the simulated network, limited to the user's own accounts. */
const toAccount = (does: 'sign_out' | 'limit') => (account: string) => ({ body: { does, account } })
const byPerson = (does: 'accept' | 'ignore' | 'write') => (account: string, person: string) => ({
  body: { does, account, person },
})
const anew = '/'

export const signOut = action(actInSandboxNetwork, toAccount('sign_out'), {
  anew,
  said: 'The network signed the account out.',
})
export const limit = action(actInSandboxNetwork, toAccount('limit'), {
  anew,
  said: 'The next five actions will be refused as too many.',
})
export const accept = action(actInSandboxNetwork, byPerson('accept'), {
  anew,
  said: 'They accepted the invitation.',
})
export const ignore = action(actInSandboxNetwork, byPerson('ignore'), {
  anew,
  said: 'They will never accept.',
})
export const answer = action(actInSandboxNetwork, byPerson('write'), { anew, said: 'They wrote to you.' })
