/**
 * Reads time, place and orientation that the camera stored in a photo. Only this file imports the EXIF library. It runs
 * in the worker, or is loaded on the page when a photo is taken without a worker.
 */
import ExifReader from 'exifreader'

/** The raw EXIF values, not validated; undefined if missing. */
export interface RawExif {
  /** Times of capture, best first, each with the time zones given for it. */
  times?: readonly { text: unknown; zones: readonly unknown[] }[]
  /** Degrees without sign, and N, S, E or W. */
  latitude?: unknown
  latitudeRef?: unknown
  longitude?: unknown
  longitudeRef?: unknown
  orientation?: unknown
}

const TIMES = ['DateTimeOriginal', 'DateTimeDigitized']
const ZONES = ['OffsetTimeOriginal', 'OffsetTimeDigitized', 'OffsetTime']
const GPS = ['GPSLatitude', 'GPSLatitudeRef', 'GPSLongitude', 'GPSLongitudeRef']

/** The thumbnail embedded in a photo, and the orientation of both. */
export interface RawEmbedded {
  thumbnail?: ArrayBuffer
  orientation?: unknown
}

/** @param bytes at least the beginning of the file. Never throws: unreadable data counts as missing. */
export function readEmbedded(bytes: ArrayBuffer): RawEmbedded {
  try {
    const { exif, Thumbnail } = ExifReader.load(bytes, {
      expanded: true,
      includeTags: { exif: ['Orientation'], thumbnail: true },
    })
    const image = Thumbnail?.image
    return {
      ...(image instanceof ArrayBuffer && { thumbnail: image }),
      orientation: exif?.Orientation?.value,
    }
  } catch {
    return {}
  }
}

/** Never throws: unreadable EXIF counts as missing. */
export function readExif(bytes: ArrayBuffer): RawExif {
  try {
    const { exif } = ExifReader.load(bytes, {
      expanded: true,
      includeTags: { exif: ['Orientation', ...TIMES, ...ZONES, ...GPS] },
    })
    const zones = [exif?.OffsetTimeOriginal, exif?.OffsetTimeDigitized, exif?.OffsetTime].map(
      (tag) => tag?.description,
    )
    return {
      times: [
        { text: exif?.DateTimeOriginal?.description, zones },
        { text: exif?.DateTimeDigitized?.description, zones: [zones[1], zones[0], zones[2]] },
      ],
      latitude: exif?.GPSLatitude?.description,
      latitudeRef: exif?.GPSLatitudeRef?.value,
      longitude: exif?.GPSLongitude?.description,
      longitudeRef: exif?.GPSLongitudeRef?.value,
      orientation: exif?.Orientation?.value,
    }
  } catch {
    return {}
  }
}
