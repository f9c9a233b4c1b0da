import { Download } from 'lucide-react'
import { buttonClass } from '#components/ui/controls/button'
import { csvLine } from '#lib/domain/text/csv'

type Props = { filename: string; head: string[]; rows: (string | null)[][] }

/** Saves the selected rows as a file; their data is already in the browser. */
export function ExportSelected({ filename, head, rows }: Props) {
  const text = [head, ...rows.map((cells) => cells.map((cell) => cell ?? ''))].map(csvLine).join('')
  return (
    <a
      className={buttonClass({ size: 'sm' })}
      download={filename}
      href={`data:text/csv;charset=utf-8,${encodeURIComponent(`\uFEFF${text}`)}`}
    >
      <Download aria-hidden /> Export {rows.length.toLocaleString('en')}
    </a>
  )
}
