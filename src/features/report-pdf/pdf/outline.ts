/** Adds bookmarks and structure tags to a PDF, built from low-level objects, because pdf-lib does not support them. */
import {
  PDFHexString,
  PDFName,
  PDFOperator,
  PDFOperatorNames,
  type PDFContext,
  type PDFDocument,
  type PDFPage,
  type PDFRef,
} from '@cantoo/pdf-lib'

export interface Bookmark {
  text: string
  page: PDFPage
  top: number
}

/** A block of text or a picture. Screen readers read the blocks in this order. */
export interface Tagged {
  tag: 'H1' | 'H2' | 'P' | 'Figure'
  page: PDFPage
  id: number
  alt: string | undefined
}

/** Draws a block of content with its tag. Screen readers skip content without a tag. */
export function drawTagged(page: PDFPage, tag: Pick<Tagged, 'tag' | 'id'> | null, draw: () => void): void {
  const args = tag ? [`/${tag.tag}`, `<< /MCID ${tag.id} >>`] : ['/Artifact', '<< >>']
  page.pushOperators(PDFOperator.of(PDFOperatorNames.BeginMarkedContentSequence, args))
  draw()
  page.pushOperators(PDFOperator.of(PDFOperatorNames.EndMarkedContent))
}

/** Adds the bookmarks as a flat list. Each bookmark names its parent, its neighbours and its position on a page. */
export function addBookmarks({ context, catalog }: PDFDocument, bookmarks: readonly Bookmark[]): void {
  if (bookmarks.length === 0) return
  const root = context.nextRef()
  const refs = bookmarks.map(() => context.nextRef())
  bookmarks.forEach(({ text, page, top }, at) => {
    const [own, before, after] = [refs[at], refs[at - 1], refs[at + 1]]
    const entries = {
      Title: PDFHexString.fromText(text),
      Parent: root,
      ...(before && { Prev: before }),
      ...(after && { Next: after }),
      Dest: [page.ref, 'XYZ', 0, top, null],
    }
    if (own) context.assign(own, context.obj(entries))
  })
  const ends = { First: refs[0] ?? null, Last: refs.at(-1) ?? null, Count: refs.length }
  context.assign(root, context.obj({ Type: 'Outlines', ...ends }))
  catalog.set(PDFName.of('Outlines'), root)
  catalog.set(PDFName.of('PageMode'), PDFName.of('UseOutlines'))
}

/** Adds the structure tree for screen readers. `P` is the parent of an element, `K` its children, `Pg` its page. */
export function addTags(pdf: PDFDocument, tagged: readonly Tagged[]): void {
  const { context, catalog } = pdf
  const root = context.nextRef()
  const whole = context.nextRef()
  const elements = tagged.map((each) => ({ each, ref: elementOf(context, whole, each) }))
  context.assign(
    whole,
    context.obj({ Type: 'StructElem', S: 'Document', P: root, K: elements.map(({ ref }) => ref) }),
  )
  const parents = pdf.getPages().flatMap((page, at) => {
    page.node.set(PDFName.of('StructParents'), context.obj(at))
    page.node.set(PDFName.of('Tabs'), PDFName.of('S'))
    return [at, elements.filter(({ each }) => each.page === page).map(({ ref }) => ref)]
  })
  const tree = { Type: 'StructTreeRoot', K: whole, ParentTree: { Nums: parents } }
  context.assign(root, context.obj(tree))
  catalog.set(PDFName.of('StructTreeRoot'), root)
  catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }))
}

function elementOf(context: PDFContext, whole: PDFRef, { tag, page, id, alt }: Tagged): PDFRef {
  const entries = { Type: 'StructElem', S: tag, P: whole, Pg: page.ref, K: id }
  return context.register(
    context.obj(alt === undefined ? entries : { ...entries, Alt: PDFHexString.fromText(alt) }),
  )
}
