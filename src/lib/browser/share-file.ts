/** Exports a file through the share sheet, or as a download if the browser does not share the file. */

type Sharing = { canShare?: Navigator['canShare']; share?: Navigator['share'] }

type Kind = { ending: string; type: string }

/** File types for JSON, the preferred first. Chromium shares text files but no JSON files. */
export const AS_JSON: readonly [Kind, ...Kind[]] = [
  { ending: 'json', type: 'application/json' },
  { ending: 'txt', type: 'text/plain' },
]
export const AS_TEXT: readonly [Kind] = [{ ending: 'txt', type: 'text/plain' }]

export type NamedFile = { name: string; content: string | Blob; kinds: readonly [Kind, ...Kind[]] }

/** @returns the file in the first type that the share sheet accepts; null if it accepts none */
export function shareable({ name, content, kinds }: NamedFile, { canShare, share }: Sharing): File | null {
  if (!share || !canShare) return null
  const files = kinds.map(({ ending, type }) => new File([content], `${name}.${ending}`, { type }))
  return files.find((file) => canShare.call(navigator, { files: [file] })) ?? null
}

/** Opens the share sheet. The promise may never settle. `stopped`: cancelled; `refused`: offer a download. */
export async function shareFile(file: File, { share }: Sharing): Promise<'shared' | 'stopped' | 'refused'> {
  try {
    // No title and no text are passed, because some phones then drop the file.
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
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
