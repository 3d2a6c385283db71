/** The document of a PDF: its sheets, bookmarks, structure, and what it says of itself. */
import { deflated, number, pdfText, type PdfFile } from './pdf-file.ts'
import type { Picture } from './pictures.ts'
import { writeStructure, type Tagged } from './structure.ts'

/** In points: A4. */
export const PAPER = { width: 595.28, height: 841.89 }

export interface Page {
  operations: string[]
  /** Tags of its blocks, in reading order. */
  tags: Pick<Tagged, 'tag' | 'alt'>[]
  pictures: Picture[]
}

export interface Bookmark {
  text: string
  page: number
  top: number
}

export const pictureName = (id: number) => `Im${id}`

interface Whole {
  font: number
  pages: readonly Page[]
  bookmarks: readonly Bookmark[]
  title: string
}

/** Writes it all. */
export async function writeDocument(file: PdfFile, { font, pages, bookmarks, title }: Whole): Promise<Blob> {
  const tree = file.reserve()
  const ids = pages.map(() => file.reserve())
  const contents = await Promise.all(pages.map(({ operations }) => deflated(operations.join('\n'))))
  pages.forEach(({ pictures }, at) => {
    const content = file.add('/Filter /FlateDecode', contents[at])
    const shown = pictures.map((each, id) => `/${pictureName(id)} ${pictureObject(file, each)} 0 R`).join(' ')
    file.set(
      ids[at] ?? 0,
      `/Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${PAPER.width} ${PAPER.height}] /Contents ${content} 0 R ` +
        `/Resources << /Font << /F1 ${font} 0 R >> /XObject << ${shown} >> >> /StructParents ${at} /Tabs /S`,
    )
  })
  const kids = ids.map((id) => `${id} 0 R`).join(' ')
  file.set(tree, `/Type /Pages /Count ${pages.length} /Kids [${kids}]`)
  const outlines = writeBookmarks(file, bookmarks, ids)
  const tagged = pages.flatMap(({ tags }, page) => tags.map((tag, id) => ({ ...tag, page, id })))
  const structure = writeStructure(file, tagged, ids)
  const root = file.add(
    `/Type /Catalog /Pages ${tree} 0 R /Lang (ja-JP) /Outlines ${outlines} 0 R /PageMode /UseOutlines ` +
      `/MarkInfo << /Marked true >> /StructTreeRoot ${structure} 0 R /ViewerPreferences << /DisplayDocTitle true >>`,
  )
  const info = file.add(`/Title ${pdfText(title)}`)
  return file.file(`/Root ${root} 0 R /Info ${info} 0 R`)
}

/** A JPEG goes in as it is. */
const pictureObject = (file: PdfFile, { jpeg, width, height }: Picture): number =>
  file.add(
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 ` +
      '/Filter /DCTDecode',
    jpeg,
  )

function writeBookmarks(file: PdfFile, bookmarks: readonly Bookmark[], pages: readonly number[]): number {
  const outlines = file.reserve()
  const ids = bookmarks.map(() => file.reserve())
  bookmarks.forEach(({ text, page, top }, at) => {
    const beside = [
      ids[at - 1] === undefined ? '' : `/Prev ${ids[at - 1]} 0 R`,
      ids[at + 1] === undefined ? '' : `/Next ${ids[at + 1]} 0 R`,
    ].join(' ')
    const goal = `/Dest [${pages[page]} 0 R /XYZ 0 ${number(top)} null]`
    file.set(ids[at] ?? 0, `/Title ${pdfText(text)} /Parent ${outlines} 0 R ${beside} ${goal}`)
  })
  const ends = ids.length > 0 ? `/First ${ids[0]} 0 R /Last ${ids.at(-1)} 0 R` : ''
  file.set(outlines, `/Type /Outlines /Count ${ids.length} ${ends}`)
  return outlines
}
