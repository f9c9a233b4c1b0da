import { CreatePlacementTests, ReadPlacementTests } from '#lib/contracts/senders/placement-tests'
import { operation } from '#lib/operations/operation'
import { placementTests, startPlacementTests } from '#lib/services/inbox/sent/placement-tests'

export const readPlacementTests = operation(ReadPlacementTests, ({ user, params, now }) =>
  placementTests(user.workspace_id, params.mailbox_id, now),
)

export const createPlacementTests = operation(CreatePlacementTests, ({ user, params, body, now }) =>
  startPlacementTests(user.workspace_id, params.mailbox_id, body, now),
)
