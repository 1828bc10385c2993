/** The one pattern of names. */

export const NAME_MAX_CHARS = 100;
export const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;
