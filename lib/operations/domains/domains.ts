import {
  CreateDomain,
  DeleteDomain,
  ListDomains,
  ReadDomain,
  ReadDomainRequirements,
  ReadDomainSetup,
  RotateDomainKey,
  UpdateDomain,
  VerifyDomain,
} from '#lib/contracts/domains/domains'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/domains/domains'
import { rotateKey } from '#lib/services/domains/keys'
import { domainRequirements } from '#lib/services/domains/requirements'
import { domainSetup } from '#lib/services/domains/setup'

export const listDomains = operation(ListDomains, ({ user, query }) =>
  service.listDomains(user.workspace_id, query),
)
export const createDomain = operation(CreateDomain, ({ user, body, now }) =>
  service.createDomain(user.workspace_id, body, now),
)
export const readDomain = operation(ReadDomain, ({ user, params }) =>
  service.getDomain(user.workspace_id, params.domain_id),
)
export const readDomainSetup = operation(ReadDomainSetup, ({ user, params, now }) =>
  domainSetup(user.workspace_id, params.domain_id, now),
)
export const readDomainRequirements = operation(ReadDomainRequirements, ({ user, params, now }) =>
  domainRequirements(user.workspace_id, params.domain_id, now),
)
export const updateDomain = operation(UpdateDomain, ({ user, params, body, now }) =>
  service.updateDomain(user.workspace_id, params.domain_id, body, now),
)
export const verifyDomain = operation(VerifyDomain, ({ user, params, now }) =>
  service.verifyDomain(user.workspace_id, params.domain_id, now),
)
export const rotateDomainKey = operation(RotateDomainKey, ({ user, params, now }) =>
  rotateKey(user.workspace_id, params.domain_id, now),
)
export const deleteDomain = operation(DeleteDomain, ({ user, params }) =>
  service.deleteDomain(user.workspace_id, params.domain_id),
)
