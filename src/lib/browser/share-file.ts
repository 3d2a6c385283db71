/** Exports a file: by the share sheet if the browser accepts the file, otherwise as a download. */

interface Sharing {
  /** Undefined if the browser has no share sheet. */
  canShare?: Navigator['canShare']
  share?: Navigator['share']
}

interface Kind {
  ending: string
  type: string
}

/** File types for JSON. Chromium shares no JSON files, but it shares text files. */
export const AS_JSON: readonly [Kind, ...Kind[]] = [
  { ending: 'json', type: 'application/json' },
  { ending: 'txt', type: 'text/plain' },
]
export const AS_TEXT: readonly [Kind] = [{ ending: 'txt', type: 'text/plain' }]

export interface NamedFile {
  /** Without file extension. */
  name: string
  content: string | Blob
  /** Possible file types in order of preference; a download uses the first. */
  kinds: readonly [Kind, ...Kind[]]
}

/** @returns the file in a type that the share sheet accepts; null if the share sheet accepts no such type */
export function shareable({ name, content, kinds }: NamedFile, { canShare, share }: Sharing): File | null {
  if (!share || !canShare) return null
  const files = kinds.map(({ ending, type }) => new File([content], `${name}.${ending}`, { type }))
  return files.find((file) => canShare.call(navigator, { files: [file] })) ?? null
}

/**
 * Opens the share sheet. May never settle, so nothing may wait for it.
 * @returns shared: the user chose a target; stopped: cancelled by the user; refused: the caller must offer a download
 */
export async function shareFile(file: File, { share }: Sharing): Promise<'shared' | 'stopped' | 'refused'> {
  try {
    // No title or text is added, because some phones then drop the file.
    await share?.call(navigator, { files: [file] })
    return 'shared'
  } catch (error) {
    return error instanceof Object && Reflect.get(error, 'name') === 'AbortError' ? 'stopped' : 'refused'
  }
}

/** Downloads a file. @param page the document in which the link is clicked */
export function download({ name, content, kinds }: NamedFile, page: Document): void {
  const [{ ending, type }] = kinds
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = page.createElement('a')
  link.href = url
  link.download = `${name}.${ending}`
  page.body.append(link)
  link.click()
  link.remove()
  // Revokes the URL after the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
