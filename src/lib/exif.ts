/**
 * What the camera wrote into a photo: when, where, which way up. The library is loaded with this file only, which stands in
 * the worker, or is loaded when a photo is taken where there is none.
 */
import ExifReader from 'exifreader'

/** As it stands there, unjudged; undefined where it does not. */
export interface RawExif {
  dateTime?: unknown
  offset?: unknown
  latitude?: unknown
  longitude?: unknown
  orientation?: unknown
}

const TAGS = ['Orientation', 'DateTimeOriginal', 'OffsetTimeOriginal']
const GPS = ['GPSLatitude', 'GPSLatitudeRef', 'GPSLongitude', 'GPSLongitudeRef']

/** Never throws: EXIF that cannot be read is none. */
export function readExif(bytes: ArrayBuffer): RawExif {
  try {
    const { exif, gps } = ExifReader.load(bytes, {
      expanded: true,
      includeTags: { exif: [...TAGS, ...GPS], gps: true },
    })
    return {
      dateTime: exif?.DateTimeOriginal?.description,
      offset: exif?.OffsetTimeOriginal?.description,
      latitude: gps?.Latitude,
      longitude: gps?.Longitude,
      orientation: exif?.Orientation?.value,
    }
  } catch {
    return {}
  }
}
