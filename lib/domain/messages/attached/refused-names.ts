import { fileEnding } from '#lib/domain/messages/attached/filename'

/** Extensions of files that run when opened. Gmail refuses them, even inside an archive. */
const PROGRAMS = new Set(
  'ade adp apk appx appxbundle bat cab chm cmd com cpl diagcab diagcfg diagpkg dll dmg ex ex_ exe hta img ins iso isp jar jnlp js jse lib lnk mde mjs msc msi msix msixbundle msp mst nsh pif ps1 ps1xml psc1 reg scf scr sct settingcontent-ms shb sh sys url vb vbe vbs vhd vhdx vxd wsc wsf wsh xll'.split(
    ' ',
  ),
)
const MACROS = new Set('docm dotm xlsm xltm xlam ppam potm pptm ppsm sldm'.split(' '))
/** Archives whose content is not inspected, neither here nor by most servers. */
const PACKED = new Set('7z ace arj bz bz2 gz lz lzh lzma rar tar tgz xz zst'.split(' '))

/** Why mail servers refuse a file of this name; null if they accept it. */
export function refusedName(name: string): string | null {
  const ending = fileEnding(name)
  if (PROGRAMS.has(ending)) return `.${ending} files are programs. Mail servers refuse those.`
  if (MACROS.has(ending)) return `.${ending} files may contain macros. Mail servers refuse those.`
  if (PACKED.has(ending)) return `.${ending} files cannot be checked. Use a ZIP instead, or share a link.`
  return null
}

/** The same for a name inside a ZIP, where another archive is refused too. */
export const refusedInside = (name: string): string | null =>
  fileEnding(name) === 'zip' ? 'It contains another ZIP, which mail servers do not open.' : refusedName(name)
