type Header = { key: string; value: string }

export const everywhere: Header[]
export const forPrograms: Header[]
export const forVisits: Header[]
export const overHttps: Header
