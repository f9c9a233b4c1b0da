import {
  CreatePeopleDataset,
  ExportPeople,
  ListPeople,
  MergePeople,
  ReadPerson,
  SplitPerson,
  SuppressPeople,
  TagPeople,
  UpdatePerson,
} from '#lib/contracts/leads/people'
import { operation } from '#lib/operations/operation'
import * as bulk from '#lib/services/leads/people/bulk'
import { exportPeople as exportAll } from '#lib/services/leads/people/export'
import { listPeople as list } from '#lib/services/leads/people/list'
import * as merging from '#lib/services/leads/people/merging'
import { createPeopleDataset as makeDataset } from '#lib/services/leads/people/people-dataset'
import * as service from '#lib/services/leads/people/person'

export const listPeople = operation(ListPeople, ({ user, query, now }) => list(user.workspace_id, query, now))
export const exportPeople = operation(ExportPeople, ({ user, query, now }) =>
  exportAll(user.workspace_id, query, now),
)
export const createPeopleDataset = operation(CreatePeopleDataset, ({ user, body, now }) =>
  makeDataset(user.workspace_id, body, now),
)
export const tagPeople = operation(TagPeople, ({ user, body }) => bulk.tagPeople(user.workspace_id, body))
export const suppressPeople = operation(SuppressPeople, ({ user, body, now }) =>
  bulk.suppressPeople(user.workspace_id, body.person_ids, now),
)
export const mergePeople = operation(MergePeople, ({ user, body }) =>
  merging.mergePeople(user.workspace_id, body),
)
export const readPerson = operation(ReadPerson, ({ user, params }) =>
  service.readPerson(user.workspace_id, params.person_id),
)
export const updatePerson = operation(UpdatePerson, ({ user, params, body, now }) =>
  service.updatePerson(user.workspace_id, params.person_id, body, now),
)
export const splitPerson = operation(SplitPerson, ({ user, params, body }) =>
  merging.splitPerson(user.workspace_id, params.person_id, body.person_ids),
)
