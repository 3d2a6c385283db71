/** Reads a PDF: its texts and pictures by page, bookmarks, title and what is said of pictures. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, type PDFObject } from '@cantoo/pdf-lib'

export async function readPdf(bytes: Uint8Array) {
  const pdf = await PDFDocument.load(bytes)
  const pages = pdf.getPages().map((page) => page.extractContents())
  const dicts = pdf.context
    .enumerateIndirectObjects()
    .flatMap(([, each]) => (each instanceof PDFDict ? [each] : []))
  return {
    title: pdf.getTitle() ?? '',
    language: pdf.getLanguage() ?? '',
    /** The lines of each page. */
    pages: pages.map((assets) =>
      assets.flatMap((each) => (each.kind === 'text' ? each.getText().trim() : [])).join('\n'),
    ),
    /** Where each line of the body ends, if all its characters are square. */
    rightEdges: pages.flatMap((assets) =>
      assets.flatMap((each) =>
        each.kind === 'text' && each.y > 60
          ? each.x + Array.from(each.getText().trim()).length * each.fontSize
          : [],
      ),
    ),
    pictures: pages.map((assets) => assets.flatMap((each) => (each.kind === 'image' ? [each] : []))),
    bookmarks: dicts.filter((each) => each.has(PDFName.of('Dest'))).map((each) => textOf(each, 'Title')),
    alts: dicts.filter((each) => each.has(PDFName.of('Alt'))).map((each) => textOf(each, 'Alt')),
    tags: dicts.filter((each) => each.get(PDFName.of('Type')) === PDFName.of('StructElem')).length,
    destinations: dicts.flatMap((each) => {
      const target = each.lookup(PDFName.of('Dest'))
      return target instanceof PDFArray ? pdf.getPages().findIndex(({ ref }) => ref === target.get(0)) : []
    }),
  }
}

const textOf = (dict: PDFDict, name: string): string => {
  const value: PDFObject | undefined = dict.get(PDFName.of(name))
  return value instanceof PDFHexString ? value.decodeText() : ''
}

/** Writes the file into a folder of its own. @returns its path */
function pdfFile(bytes: Uint8Array): string {
  const path = join(mkdtempSync(join(tmpdir(), 'genba-pdf-')), 'report.pdf')
  writeFileSync(path, bytes)
  return path
}

/** True if poppler's programs are installed. */
export const hasPoppler = (): boolean => !spawnSync('pdftoppm', ['-v']).error

/** The text as poppler reads it, and its complaints. */
export function popplerText(bytes: Uint8Array): { text: string; errors: string } {
  const { stdout, stderr } = spawnSync('pdftotext', ['-layout', pdfFile(bytes), '-'], { encoding: 'utf8' })
  return { text: stdout, errors: stderr }
}

/** A page as poppler draws it in grey, 0 black. */
export interface GreyPage {
  width: number
  height: number
  at(x: number, y: number): number
}

export function popplerPages(bytes: Uint8Array, dpi: number): GreyPage[] {
  const path = pdfFile(bytes)
  const { stderr } = spawnSync('pdftoppm', ['-gray', '-r', String(dpi), path, path], { encoding: 'utf8' })
  if (stderr) throw new Error(stderr)
  const folder = dirname(path)
  const names = readdirSync(folder).filter((name) => name.endsWith('.pgm'))
  return names.toSorted().map((name) => greyOf(readFileSync(join(folder, name))))
}

function greyOf(file: Buffer): GreyPage {
  const [head = '', width = '0', height = '0'] =
    /^P5\s(\d+)\s(\d+)\s255\s/.exec(file.toString('latin1', 0, 40)) ?? []
  const own = file.subarray(head.length)
  return { width: Number(width), height: Number(height), at: (x, y) => own[y * Number(width) + x] ?? 255 }
}
