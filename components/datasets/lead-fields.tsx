import type { LeadField } from '#lib/domain/datasets/lead-fields'

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
