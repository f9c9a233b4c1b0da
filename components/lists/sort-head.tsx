import type { ComponentProps } from 'react'
import { Th } from '#components/ui/layout/table'
import { SortTh } from './sort-th.tsx'

type Column = Pick<ComponentProps<typeof SortTh>, 'column' | 'first' | 'numeric'> & { label: string }

type Props = Pick<ComponentProps<typeof SortTh>, 'path' | 'query' | 'name'> & {
  columns: readonly Column[]
  /** The last column contains the rows' actions. */
  hasActions?: boolean
}

/** The headings of a table whose columns are all sortable. */
export function SortHead({ columns, hasActions, ...sorts }: Props) {
  return (
    <thead>
      <tr>
        {columns.map(({ label, ...column }) => (
          <SortTh key={column.column} {...sorts} {...column}>
            {label}
          </SortTh>
        ))}
        {hasActions && (
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        )}
      </tr>
    </thead>
  )
}
