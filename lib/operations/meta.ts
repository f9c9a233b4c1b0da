import { ReadHealth } from '#lib/contracts/meta'
import { operation } from '#lib/operations/operation'
import { readHealth as health } from '#lib/services/instance/health'

export const readHealth = operation(ReadHealth, ({ now }) => health(now))
