import { LEAD_FIELDS, type LeadField } from '#lib/domain/datasets/lead-fields'

export const FIELD_LABELS: Record<LeadField, string> = {
  email: 'Email',
  first_name: 'First name',
  last_name: 'Last name',
  full_name: 'Full name',
  company: 'Company',
  title: 'Job title',
  phone: 'Phone',
  website: 'Website',
  linkedin_url: 'LinkedIn address',
  city: 'City',
  country: 'Country',
  timezone: 'Time zone',
}

export const isField = (key: string) => LEAD_FIELDS.find((field) => field === key)

/** The name that people know a column by. */
export const columnLabel = ({ name, key }: { name: string; key: string }): string => {
  const field = isField(key)
  return field ? FIELD_LABELS[field] : name
}
