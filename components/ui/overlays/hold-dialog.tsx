'use client'

import { createContext, useContext, useEffect } from 'react'

export const HoldDialog = createContext<(isHeld: boolean) => void>(() => undefined)

/** Keeps the dialog around open while its work is under way: closed, nobody would be shown what came of it. */
export function useHeldDialog(isHeld: boolean) {
  const hold = useContext(HoldDialog)
  useEffect(() => {
    hold(isHeld)
    return () => hold(false)
  }, [hold, isHeld])
}
