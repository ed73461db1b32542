/** A handler's result that clients save as a file, with the media type that the endpoint declares. */
export class Attachment {
  /** ASCII without quotes. */
  readonly fileName: string;
  readonly text: string;

  constructor(fileName: string, text: string) {
    this.fileName = fileName;
    this.text = text;
  }
}
