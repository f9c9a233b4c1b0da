'use client'

import { createContext, useContext, useEffect } from 'react'

export const HoldDialog = createContext<(isHeld: boolean) => void>(() => undefined)

/** Keeps the surrounding dialog open while work is in progress, so that its result can be shown. */
export function useHeldDialog(isHeld: boolean) {
  const hold = useContext(HoldDialog)
  useEffect(() => {
    hold(isHeld)
    return () => hold(false)
  }, [hold, isHeld])
}
