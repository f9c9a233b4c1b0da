'use client'

import { Toaster as Sonner, toast } from 'sonner'

export { toast }

/** A receipt, not a message box: success leaves after 4 s, an error stays until it is closed. */
export function Toaster() {
  return (
    <Sonner
      position="bottom-right"
      closeButton
      gap={8}
      mobileOffset={{ bottom: '4.5rem' }}
      toastOptions={{
        duration: 4000,
        unstyled: true,
        classNames: {
          toast:
            'flex w-[22rem] max-w-[calc(100vw-2rem)] items-start gap-2.5 rounded-md bg-raised p-3 pr-9 text-sm text-text shadow-raised font-sans',
          title: 'font-medium',
          description: 'text-muted',
          icon: 'mt-0.5 shrink-0 [&_svg]:size-4 [[data-type=success]_&]:text-success [[data-type=error]_&]:text-danger',
          content: 'min-w-0 flex-1',
          actionButton: 'ml-auto shrink-0 rounded-xs px-2 h-6 font-medium text-accent-text hover:bg-hover',
          closeButton:
            'absolute right-2 top-2.5 grid size-6 place-items-center rounded-xs text-muted hover:bg-hover [&_svg]:size-3.5',
        },
      }}
    />
  )
}
