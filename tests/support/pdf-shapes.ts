/** Draws what is filled on the pages of a PDF that this app wrote, without letters and pictures: the codes of labels. */
import { decodePDFRawStream, PDFArray, PDFDocument, PDFRawStream, type PDFPage } from '@cantoo/pdf-lib'
import type { GreyPage } from './pdf-reader.ts'

/** The six numbers of a transformation, as an operator `cm` has them. */
type Matrix = readonly [number, number, number, number, number, number]
const NONE: Matrix = [1, 0, 0, 1, 0, 0]
const POINTS_PER_INCH = 72

/** @returns the pages, all shapes in black; only shapes with horizontal and vertical edges are right */
export async function filledPages(bytes: Uint8Array, dpi: number): Promise<GreyPage[]> {
  const pdf = await PDFDocument.load(bytes)
  return pdf.getPages().map((page) => pageOf(page, dpi / POINTS_PER_INCH))
}

function pageOf(page: PDFPage, scale: number): GreyPage {
  const [width, height] = [page.getWidth(), page.getHeight()].map((side) => Math.round(side * scale))
  if (width === undefined || height === undefined) throw new Error('no page')
  const pixels = new Uint8Array(width * height).fill(255)
  for (const shape of shapesIn(contentOf(page))) {
    const [xs, ys] = [shape.map(([x]) => x * scale), shape.map(([, y]) => height - y * scale)]
    const [left, right] = [Math.round(Math.min(...xs)), Math.round(Math.max(...xs))]
    for (let y = Math.round(Math.min(...ys)); y < Math.round(Math.max(...ys)); y += 1)
      pixels.fill(0, y * width + left, y * width + right)
  }
  return { width, height, at: (x, y) => pixels[y * width + x] ?? 255 }
}

function contentOf(page: PDFPage): string {
  const contents = page.node.Contents()
  const streams = contents instanceof PDFArray ? contents.asArray() : [contents]
  return streams
    .map((each) => page.doc.context.lookup(each))
    .map((each) =>
      each instanceof PDFRawStream ? Buffer.from(decodePDFRawStream(each).decode()).toString('latin1') : '',
    )
    .join('\n')
}

/** The corners of each filled shape, in points from the lower left corner of the page. */
function shapesIn(content: string): [number, number][][] {
  const filled: [number, number][][] = []
  const outer: Matrix[] = []
  let [matrix, path, numbers]: [Matrix, [number, number][][], number[]] = [NONE, [], []]
  const point = (): [number, number] => {
    const [x = 0, y = 0] = numbers.slice(-2)
    const [a, b, c, d, e, f] = matrix
    return [a * x + c * y + e, b * x + d * y + f]
  }
  const operators: Readonly<Record<string, () => void>> = {
    q: () => void outer.push(matrix),
    Q: () => void (matrix = outer.pop() ?? NONE),
    cm: () => void (matrix = combined(numbers, matrix)),
    m: () => void path.push([point()]),
    l: () => void path.at(-1)?.push(point()),
    f: () => void filled.push(...path.splice(0)),
    S: () => void path.splice(0),
    n: () => void path.splice(0),
  }
  for (const token of content.split(/\s+/)) {
    if (/^[-+.\d]+$/.test(token)) numbers.push(Number(token))
    else {
      operators[token]?.()
      numbers = []
    }
  }
  return filled
}

function combined([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[], outer: Matrix): Matrix {
  const [A, B, C, D, E, F] = outer
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F]
}
