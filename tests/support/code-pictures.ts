/**
 * Pictures of codes as a camera in a pit sees them, drawn from the modules of a code: turned, tilted, dim, glaring, wet,
 * dirty, small, blurred, inverted. The same on every run.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { deflateSync } from 'node:zlib'
import { encodeQR } from 'qr'
import { prepareZXingModule, writeBarcode, type WriteInputBarcodeFormat } from 'zxing-wasm/writer'
import { ascii, pngChunk } from './image-files.ts'

const root = resolve(import.meta.dirname, '../..')
const wasm = (kind: 'reader' | 'writer') =>
  Uint8Array.from(readFileSync(join(root, `node_modules/zxing-wasm/dist/${kind}/zxing_${kind}.wasm`))).buffer
export const readerWasm = () => wasm('reader')

/** Dark modules of a code, by row; a barcode has one row. */
type Modules = readonly (readonly boolean[])[]

export const qrModules = (text: string): Modules =>
  encodeQR(text, 'raw', { ecc: 'medium', border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1))

let isWriterReady = false
async function barModules(text: string, format: WriteInputBarcodeFormat): Promise<Modules> {
  if (!isWriterReady) prepareZXingModule({ overrides: { wasmBinary: wasm('writer') } })
  isWriterReady = true
  const { symbol } = await writeBarcode(text, { format, addQuietZones: false, scale: 1 })
  const rows = Array.from({ length: symbol.height }, (_, y) =>
    Array.from(symbol.data.subarray(y * symbol.width, (y + 1) * symbol.width), (value) => value < 128),
  )
  // all rows of a barcode are the same
  return symbol.height < symbol.width / 2 ? rows.slice(0, 1) : rows
}

export interface Look {
  /** Width of the code in px, before it is turned. */
  size: number
  degrees?: number
  /** How much smaller the code's far side is, 0 to 0.5. */
  tilt?: number
  /** Grey of dark and light modules, 0 to 255. */
  dark?: number
  light?: number
  background?: number
  /** Strength of the noise, in greys. */
  noise?: number
  /** Radius of the blur in px. */
  blur?: number
  /** Number of drops that bend and brighten what is behind them. */
  drops?: number
  /** Number of dark specks. */
  specks?: number
  /** A lamp's reflection beside the middle. */
  glare?: number
}

export interface GreyPicture {
  width: number
  height: number
  data: Uint8ClampedArray
}

/** Numbers from 0 to 1, the same on every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/** Draws codes side by side. */
export function drawCodes(codes: readonly Modules[], look: Look, width = 640, height = 480): GreyPicture {
  const random = seeded(7)
  const { dark = 25, light = 225, background = light, noise = 0, drops = 0, specks = 0, glare = 0 } = look
  const bends = Array.from({ length: drops }, () => spot(random, width, height, look.size / 9))
  const dirt = Array.from({ length: specks }, () => spot(random, width, height, look.size / 60))
  const at = (x: number, y: number) => {
    const drop = bends.find((each) => isIn(each, x, y))
    const grey = drop
      ? greyAt(drop.x + (x - drop.x) * 0.85, drop.y + (y - drop.y) * 0.85) * 0.8 + light * 0.2
      : greyAt(x, y)
    return dirt.some((each) => isIn(each, x, y)) ? 20 : grey
  }
  const greyAt = (x: number, y: number) => {
    const isDark = moduleAt(codes, look, x - width / 2, y - height / 2)
    if (isDark === undefined) return background
    return isDark ? dark : light
  }
  const sharp = Float32Array.from({ length: width * height }, (_, place) => {
    const [x, y] = [place % width, Math.floor(place / width)]
    // two samples a pixel, as a sensor averages
    return (at(x + 0.25, y + 0.25) + at(x + 0.75, y + 0.75)) / 2
  })
  const seen = blurred(sharp, width, look.blur ?? 0)
  const data = Uint8ClampedArray.from(seen, (grey, place) => {
    const [x, y] = [place % width, Math.floor(place / width)]
    const shine =
      glare * Math.exp(-((x - width * 0.62) ** 2 + (y - height * 0.4) ** 2) / (look.size / 3) ** 2)
    return grey + shine + (random() - 0.5) * noise
  })
  return { width, height, data }
}

interface Spot {
  x: number
  y: number
  radius: number
}

const spot = (random: () => number, width: number, height: number, radius: number): Spot => ({
  x: width * (0.25 + random() / 2),
  y: height * (0.2 + random() * 0.6),
  radius: radius * (0.5 + random()),
})
const isIn = ({ x, y, radius }: Spot, atX: number, atY: number) => Math.hypot(atX - x, atY - y) < radius

/** @returns undefined beside the codes */
function moduleAt(codes: readonly Modules[], { size, degrees = 0, tilt = 0 }: Look, x: number, y: number) {
  const angle = (degrees * Math.PI) / 180
  const [turnedX, turnedY] = [
    x * Math.cos(angle) + y * Math.sin(angle),
    y * Math.cos(angle) - x * Math.sin(angle),
  ]
  const depth = 1 + (tilt * turnedY) / size
  const across = turnedX / depth / size + codes.length / 2 + (codes.length - 1) * 0.15
  const index = Math.floor(across / 1.3)
  const column = across - index * 1.3
  const modules = codes[index]
  const columns = modules?.[0]?.length ?? 0
  const isBar = modules?.length === 1
  const down = turnedY / depth / size + (isBar ? 0.15 : 0.5)
  if (!modules || column < 0 || column >= 1 || down < 0 || down >= (isBar ? 0.3 : 1)) return undefined
  return modules[isBar ? 0 : Math.floor(down * modules.length)]?.[Math.floor(column * columns)]
}

function blurred(grey: Float32Array, width: number, radius: number): Float32Array {
  if (radius === 0) return grey
  const along = (from: Float32Array, step: number) =>
    from.map((_, place) => {
      let sum = 0
      for (let by = -radius; by <= radius; by += 1) sum += from[place + by * step] ?? from[place] ?? 0
      return sum / (2 * radius + 1)
    })
  return along(along(grey, 1), width)
}

/** As a canvas gives it. */
export function pixelsOf({ width, height, data }: GreyPicture): ImageData {
  const rgba = new Uint8ClampedArray(width * height * 4)
  data.forEach((grey, at) => rgba.set([grey, grey, grey, 255], at * 4))
  return { width, height, data: rgba, colorSpace: 'srgb' }
}

/** As a file. */
export function pngOf({ width, height, data }: GreyPicture): Buffer {
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) rows.set(data.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  return Buffer.from([
    ...[0x89, ...ascii('PNG\r\n\u001a\n')],
    ...pngChunk('IHDR', [...header]),
    ...pngChunk('IDAT', [...deflateSync(rows, { level: 9 })]),
    ...pngChunk('IEND', []),
  ])
}

const FIELD: readonly (readonly [name: string, look: Look])[] = [
  ['plain', { size: 400 }],
  ['turned 20°', { size: 360, degrees: 20 }],
  ['turned 45°', { size: 330, degrees: 45 }],
  ['turned 90°', { size: 400, degrees: 90 }],
  ['upside down', { size: 380, degrees: 180 }],
  ['turned 290°', { size: 340, degrees: 290 }],
  ['tilted', { size: 360, tilt: 0.35 }],
  ['tilted and turned', { size: 290, tilt: 0.3, degrees: 30 }],
  ['dim', { size: 380, dark: 12, light: 45, noise: 8 }],
  ['dim and noisy', { size: 400, dark: 20, light: 70, noise: 40 }],
  ['overexposed', { size: 380, dark: 190, light: 250, noise: 10 }],
  ['glaring', { size: 400, glare: 190 }],
  ['wet', { size: 420, drops: 14, blur: 1 }],
  ['wet and dim', { size: 420, drops: 10, dark: 20, light: 90, noise: 12 }],
  ['dirty', { size: 400, specks: 16 }],
  ['small', { size: 96 }],
  ['small and turned', { size: 110, degrees: 33 }],
  ['small and noisy', { size: 120, noise: 50 }],
  ['blurred', { size: 380, blur: 3 }],
  ['inverted', { size: 380, dark: 225, light: 25, background: 25 }],
  ['inverted and turned', { size: 320, dark: 215, light: 40, background: 40, degrees: 60 }],
]
const BARS: readonly (readonly [name: string, format: WriteInputBarcodeFormat, look: Look])[] = [
  ['Code 128, plain', 'Code128', { size: 560 }],
  ['Code 128, turned and dim', 'Code128', { size: 520, degrees: 8, dark: 15, light: 60, noise: 8 }],
  ['Code 39, upside down', 'Code39', { size: 590, degrees: 180 }],
]

export interface CodePicture {
  name: string
  text: string
  picture: GreyPicture
}

/**
 * 24 pictures, each of one code.
 *
 * @param every one of so many of them: 4 gives six, turned, tilted, glaring, small, inverted and a barcode
 */
export async function codePictures(every = 1): Promise<CodePicture[]> {
  const isWanted = (at: number) => at % every === every - 1
  const matrix = FIELD.flatMap(([name, look], at) => {
    const text = at % 2 === 0 ? `https://genba.example.jp/report/dev-${100 + at}` : `R26-1120${10 + at}`
    return isWanted(at) ? [{ name, text, picture: drawCodes([qrModules(text)], look) }] : []
  })
  const bars = BARS.map(async ([name, format, look], at) => {
    const text = `DEV-00${at + 1}`
    if (!isWanted(FIELD.length + at)) return []
    return [{ name, text, picture: drawCodes([await barModules(text, format)], look) }]
  })
  return [...matrix, ...(await Promise.all(bars)).flat()]
}

/** As a camera for Chromium: a video of one frame, which it repeats. */
export function y4mOf({ width, height, data }: GreyPicture): Buffer {
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420\nFRAME\n`)
  return Buffer.concat([head, Buffer.from(data), Buffer.alloc((width * height) / 2, 128)])
}
