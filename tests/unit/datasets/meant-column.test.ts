import { expect, test } from 'vitest'
import { meantColumn } from '#lib/domain/datasets/meant-column'

const COLUMNS = new Set(['email', 'first_name', 'last_name', 'company', 'city', 'pet', 'plan_a', 'plan_b'])

test.each([
  ['firstName', 'first_name'],
  ['First_Name', 'first_name'],
  ['frist_name', 'first_name'],
  ['last_nam', 'last_name'],
  ['companyName', 'company'],
  ['organization', 'company'],
  ['comapny', 'company'],
  ['vorname', 'first_name'],
  ['pett', null],
  ['plan_c', null],
  ['weather', null],
  ['job_title', null],
])('by {{ %s }} %s was meant', (name, column) => {
  expect(meantColumn(name, COLUMNS)).toBe(column)
})
