/**
 * The limits and times of spec 9, by name, and those of our own that schemas, sync and screens share. Lengths in
 * characters, times in milliseconds unless named otherwise.
 */

export const ID_MAX = 64
/** Of the key under which a form's draft is kept. */
export const DRAFT_KEY_MAX = 300

export const QUICK_REPORT_UPDATE_DAYS = 7

export const PARKING_METHOD_MAX = 500
export const IN_METHOD_MAX = 500
export const EMERGENCY_DETAILS_MAX = 300
export const NOTE_MAX = 1000
export const CONTACT_TEXT_MAX = 50
export const CONTACT_MEANS_MAX = 100
export const CONTACT_TEL_MAX = 14
export const REPORT_CONTENT_MAX = 500

/**
 * What is taken of an answer of the CRM or the file store, whatever it sends (sync RULES PL11): characters of a text, rows of
 * a list, levels of nesting, characters of the whole. The contract's longest text has 1,000, its longest page 1,000 rows.
 */
export const ANSWER_TEXT_MAX = 5_000
/**
 * Letters, and signs, one after the other without a place to break the line, as no language has them: Chromium's line
 * breaking takes the square of their number, and of 10,000 。 half a minute.
 */
export const ANSWER_LETTERS_MAX = 1_000
export const ANSWER_SIGNS_MAX = 200
export const ANSWER_ROWS_MAX = 1_000
export const ANSWER_DEPTH_MAX = 40
export const ANSWER_MAX = 16_000_000
/** Of a file: the largest photo that `config.json` can allow. */
export const ANSWER_FILE_MAX = 100 * 1024 * 1024
/** What is taken of a long answer in all, and of one of its rows: bytes, of a text no more than ANSWER_TEXT_MAX characters. */
export const ANSWER_WEIGHT_MAX = 4_000_000
export const ANSWER_ROW_WEIGHT_MAX = 1_000_000

export const PHOTO_EXTENSIONS = ['png', 'jpeg', 'jpg'] as const
/** Of what is sent (spec 5). */
export const PHOTO_MAX_MB = 10
/** Of a picked file: three are in memory at once, each beside its pixels. */
export const PHOTO_READ_MAX_MB = 40
/** Width times height; what has more is not decoded. A JPEG is decoded at a part of its size. Of a PNG all pixels are in memory. */
export const PHOTO_MAX_PIXELS = 110_000_000
export const PHOTO_WHOLE_MAX_PIXELS = 50_000_000

export const PAGE_SIZE = 50
export const FIRST_OFFSET = 1
export const LOAD_MORE_SIZE = 20
export const DEVICE_REPORT_LIMIT = 20
/** Pages of a device's past reports that are read without being asked for. */
export const DEVICE_REPORT_PAGES_AHEAD = 2
export const FILE_SEARCH_LIMIT = 1000
export const SCROLL_TRIGGER_PX = 100

export const PASSWORD_MIN = 8
export const PASSWORD_LOCK_MS = 900
export const FLASH_DISMISS_MS = 10_000
export const CONNECTIVITY_POLL_MS = 1_000
export const REFETCH_AFTER_RECONNECT_MS = 3_500
/** The refetch comes up to so much later (sync RULES PL5). */
export const REFETCH_SPREAD_MS = 5_000
export const RETRY_FIRST_MS = 500
export const RETRY_MAX_MS = 30_000
export const STORAGE_DEBOUNCE_MS = 300
export const GEOLOCATION_TIMEOUT_MS = 5_000
export const GEOLOCATION_EXTRA_MS = 2_000
/** What came from the CRM, and what waits to be sent, is kept so long (spec 1, sync RULES EX1). */
export const EXPIRY_MS = 24 * 3_600_000
/** A row that reads as before is confirmed so often: no more writes than that. */
export const ROW_CONFIRM_MS = 3_600_000

/** Requests from yesterday to two weeks ahead live on the device (sync RULES PL4). */
export const WINDOW_DAYS_BACK = 1
export const WINDOW_DAYS_AHEAD = 14
/** At most this many reads of the CRM at once (sync RULES PL5). */
export const READS_AT_ONCE = 4
/** At most this many photos on their way at once (sync RULES OR1). */
export const UPLOADS_AT_ONCE = 3

/** Length of an ISO 8601 date-time with milliseconds and offset. */
export const DATE_TIME_MAX = 30
