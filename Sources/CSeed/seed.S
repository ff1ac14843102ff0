// SwiftPM's embedInCode turns a file into a Swift array literal, which the compiler takes minutes
// over when it has megabytes. The assembler just copies the bytes.
    .section .rodata

    .global waypost_places
    .global waypost_places_end
waypost_places:
    .incbin "places.tsv.gz"
waypost_places_end:

    .global waypost_postcodes
    .global waypost_postcodes_end
waypost_postcodes:
    .incbin "postcodes.tsv.gz"
waypost_postcodes_end:

    .section .note.GNU-stack,"",%progbits
