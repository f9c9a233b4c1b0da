import { AddSamples, RemoveSamples } from '#lib/contracts/sandbox/samples'
import { operation } from '#lib/operations/operation'
import * as removal from '#lib/services/sandbox/removal'
import * as samples from '#lib/services/sandbox/samples'

export const addSamples = operation(AddSamples, async ({ user, body, now }) => ({
  items: await samples.addSample(user, body.kind, now),
}))
export const removeSamples = operation(RemoveSamples, ({ user, now }) =>
  removal.removeSamples(user.workspace_id, now),
)
