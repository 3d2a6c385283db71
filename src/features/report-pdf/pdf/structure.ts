/** The structure of a tagged PDF: what is a title and what a paragraph, in the order in which it is read aloud. */
import { pdfText, type PdfFile } from './pdf-file.ts'

export interface Tagged {
  tag: 'H1' | 'H2' | 'P' | 'Figure'
  /** Its sheet, from 0, and its number there. */
  page: number
  id: number
  /** What a figure shows. */
  alt?: string | undefined
}

/** @returns the number of the tree's root */
export function writeStructure(file: PdfFile, tagged: readonly Tagged[], pages: readonly number[]): number {
  const root = file.reserve()
  const whole = file.reserve()
  const elements = tagged.map(({ tag, page, id, alt }) =>
    file.add(
      `/Type /StructElem /S /${tag} /P ${whole} 0 R /Pg ${pages[page]} 0 R /K ${id}` +
        (alt === undefined ? '' : ` /Alt ${pdfText(alt)}`),
    ),
  )
  file.set(whole, `/Type /StructElem /S /Document /P ${root} 0 R /K [${references(elements)}]`)
  const parents = pages.map((_, page) => {
    const own = elements.filter((__, at) => tagged[at]?.page === page)
    return `${page} ${file.addValue(`[${references(own)}]`)} 0 R`
  })
  file.set(
    root,
    `/Type /StructTreeRoot /K ${whole} 0 R /ParentTree << /Nums [${parents.join(' ')}] >> ` +
      `/ParentTreeNextKey ${pages.length}`,
  )
  return root
}

const references = (objects: readonly number[]) => objects.map((object) => `${object} 0 R`).join(' ')
