import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { relyingParty } from '#lib/services/workspaces/sign-in/relying-party'
import { anAuthenticator } from '#tests/support/doubles/authenticator'
import { promise, promiseCleanPrototypes, type Target } from '#tests/support/fuzz/target'

const CHALLENGE = Buffer.from('a challenge of ours').toString('base64url')
const decoded = (text: string) => Buffer.from(text, 'base64url')
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

async function readRegistration(clientData: string, attestation: Uint8Array, id: string) {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty()
  const response = { clientDataJSON: clientData, attestationObject: base64url(attestation) }
  return verifyRegistrationResponse({
    response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
    expectedChallenge: CHALLENGE,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
  })
}

/** Answers of a device with changed bytes: refused by an error, never accepted as another device's. */
function aDevice() {
  const device = anAuthenticator()
  const made = device.create({ challenge: CHALLENGE })
  const shown = device.get({ challenge: CHALLENGE })
  return {
    id: made.id,
    made: { client: made.response.clientDataJSON, bytes: decoded(made.response.attestationObject) },
    shown: { ...shown.response, bytes: decoded(shown.response.authenticatorData) },
  }
}
let one: ReturnType<typeof aDevice> | null = null
const device = () => (one ??= aDevice())

export const passkeys: Target = {
  name: 'passkeys',
  max: 8 * 1024,
  seeds: () => [device().made.bytes, device().shown.bytes],
  words: [
    'cfmt',
    'none',
    'packed',
    'fido-u2f',
    'gattStmt',
    'hauthData',
    'cx5c',
    'csig',
    'calg',
    '\x00',
    '\x80',
    '\x9f',
    '\xbf',
    '\xff',
    '\xa0',
    '\xa3',
    '\xc0',
    '\xd9',
    '\xf6',
    '\xfb',
    '\x1b',
    '\x5a',
    '\x7a',
    '\x9b',
  ],
  async run(input) {
    const { id, made, shown } = device()
    const added = await readRegistration(made.client, input, id).catch(() => null)
    const proper = await readRegistration(made.client, made.bytes, id)
    const key = proper.registrationInfo?.credential.publicKey
    promise(key !== undefined, 'a proper device is taken')
    // Without attestation nobody vouches for the id; that no two passkeys share one is enforced by the database.
    promise(
      !added?.verified || added.registrationInfo.credential.publicKey.length > 0,
      'what is added has a key',
    )
    const { id: expectedRPID, origin: expectedOrigin } = relyingParty()
    const { clientDataJSON, signature } = shown
    const answer = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, signature, authenticatorData: base64url(input) },
        clientExtensionResults: {},
      },
      expectedChallenge: CHALLENGE,
      expectedOrigin,
      expectedRPID,
      credential: { id, publicKey: key, counter: 0 },
      requireUserVerification: true,
    }).catch(() => null)
    promise(!answer?.verified || Buffer.compare(input, shown.bytes) === 0, 'what was signed is what is taken')
    promiseCleanPrototypes()
  },
}
