/** How a file leaves the app by the user's hand: the share sheet where the browser takes the file, else a download. */

interface Sharing {
  /** Missing where the browser has no share sheet. */
  canShare?: Navigator['canShare']
  share?: Navigator['share']
}

interface Kind {
  ending: string
  type: string
}

/** Chromium shares no JSON files, but texts. */
export const AS_JSON: readonly [Kind, ...Kind[]] = [
  { ending: 'json', type: 'application/json' },
  { ending: 'txt', type: 'text/plain' },
]
export const AS_TEXT: readonly [Kind] = [{ ending: 'txt', type: 'text/plain' }]

export interface NamedFile {
  /** Without an ending. */
  name: string
  content: string | Blob
  /** What it may be called; it is saved as the first. */
  kinds: readonly [Kind, ...Kind[]]
}

/** @returns the file as the share sheet takes it; null where it takes none */
export function shareable({ name, content, kinds }: NamedFile, { canShare, share }: Sharing): File | null {
  if (!share || !canShare) return null
  const files = kinds.map(({ ending, type }) => new File([content], `${name}.${ending}`, { type }))
  return files.find((file) => canShare.call(navigator, { files: [file] })) ?? null
}

/** gone: given to somebody; stopped: the user thought better of it; refused: a download is what is left. */
export async function shareFile(file: File, { share }: Sharing): Promise<'gone' | 'stopped' | 'refused'> {
  try {
    await share?.call(navigator, { files: [file], title: file.name })
    return 'gone'
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? 'stopped' : 'refused'
  }
}

/** @param page the document the link is clicked in */
export function download({ name, content, kinds }: NamedFile, page: Document): void {
  const [{ ending, type }] = kinds
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = page.createElement('a')
  link.href = url
  link.download = `${name}.${ending}`
  page.body.append(link)
  link.click()
  link.remove()
  // the browser has begun by the next turn
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
