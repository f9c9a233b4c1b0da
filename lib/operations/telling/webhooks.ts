import {
  CreateWebhook,
  DeleteWebhook,
  ListWebhookDeliveries,
  ListWebhooks,
  ReadWebhook,
  ReadWebhookDelivery,
  RedeliverWebhook,
  RotateWebhookSecret,
  TestWebhook,
  UpdateWebhook,
} from '#lib/contracts/telling/webhooks'
import { operation } from '#lib/operations/operation'
import * as deliveries from '#lib/services/telling/webhook-deliveries'
import * as service from '#lib/services/telling/webhooks'

export const listWebhooks = operation(ListWebhooks, ({ user, query }) =>
  service.listWebhooks(user.workspace_id, query),
)
export const createWebhook = operation(CreateWebhook, ({ user, body, now }) =>
  service.createWebhook(user.workspace_id, body, now),
)
export const readWebhook = operation(ReadWebhook, ({ user, params }) =>
  service.getWebhook(user.workspace_id, params.webhook_id),
)
export const updateWebhook = operation(UpdateWebhook, ({ user, params, body, now }) =>
  service.updateWebhook(user.workspace_id, params.webhook_id, body, now),
)
export const deleteWebhook = operation(DeleteWebhook, ({ user, params }) =>
  service.deleteWebhook(user.workspace_id, params.webhook_id),
)
export const rotateWebhookSecret = operation(RotateWebhookSecret, ({ user, params, now }) =>
  service.rotateWebhookSecret(user.workspace_id, params.webhook_id, now),
)
export const testWebhook = operation(TestWebhook, ({ user, params, now }) =>
  deliveries.testWebhook(user.workspace_id, params.webhook_id, now),
)
export const listWebhookDeliveries = operation(ListWebhookDeliveries, ({ user, params, query }) =>
  deliveries.listWebhookDeliveries(user.workspace_id, params.webhook_id, query),
)
export const readWebhookDelivery = operation(ReadWebhookDelivery, ({ user, params }) =>
  deliveries.getWebhookDelivery(user.workspace_id, params),
)
export const redeliverWebhook = operation(RedeliverWebhook, ({ user, params, now }) =>
  deliveries.redeliverWebhook(user.workspace_id, params, now),
)
