'use client'

import { createContext, useContext } from 'react'

/** What every form action answers. `fields` is keyed by the control's name. */
export type FormResult =
  | { ok: true; message?: string }
  /**
   * `lists`: the message says of each field what is wrong with it, for where they do not say it themselves. `stale`: somebody else
   * saved or answered meanwhile; the page has what is there now.
   */
  | { ok: false; message: string; fields?: Record<string, string>; lists?: true; stale?: true }

export type FormAction = (previous: FormResult | null, data: FormData) => Promise<FormResult>

type State = { result: FormResult | null; isPending: boolean; isAsking: boolean; acts: boolean }

/** Apart from the form, so that a page of fields alone does not load it. */
export const FormContext = createContext<State>({
  result: null,
  isPending: false,
  isAsking: false,
  acts: false,
})

export function useFieldError(name: string | undefined): string | undefined {
  const { result } = useContext(FormContext)
  return name && result && !result.ok ? result.fields?.[name] : undefined
}

/** The answer of the form around, once there is one. */
export const useFormAnswer = () => useContext(FormContext)

export function useFormPending(): boolean {
  const { isPending, isAsking } = useContext(FormContext)
  return isPending || isAsking
}

/** Whether it is sent to a server action; other forms only look something up. */
export const useFormActs = (): boolean => useContext(FormContext).acts
