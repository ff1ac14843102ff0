/// SHA-256: https://doi.org/10.6028/NIST.FIPS.180-4
///
/// Implemented here because the room imports no library, and Foundation has none on Linux.
package enum SHA256 {
    /// Returns the digest as eight words, the most significant first.
    package static func digest(of message: [UInt8]) -> [UInt32] {
        var state = initialState
        message.withUnsafeBytes { message in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
                let whole = message.count & ~63
                for start in stride(from: 0, to: whole, by: 64) {
                    compress(UnsafeRawBufferPointer(rebasing: message[start..<start + 64]), &state, schedule)
                }
                padded(message[whole...], of: message.count).withUnsafeBytes { rest in
                    for start in stride(from: 0, to: rest.count, by: 64) {
                        compress(UnsafeRawBufferPointer(rebasing: rest[start..<start + 64]), &state, schedule)
                    }
                }
            }
        }
        return state
    }

    /// Returns the digest as 32 bytes.
    package static func bytes(of message: [UInt8]) -> [UInt8] { AddressHash(digestOf: message).bytes }

    /// Returns the first 64 bits of the digest, as a key that PostgreSQL can store as a bigint.
    static func key(of message: [UInt8]) -> Int {
        let digest = digest(of: message)
        return Int(bitPattern: UInt(digest[0]) << 32 | UInt(digest[1]))
    }

    /// The last bytes of the message, a one bit, zeros, and the message's length in bits: one block, or two.
    private static func padded(_ rest: Slice<UnsafeRawBufferPointer>, of count: Int) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: rest.count < 56 ? 64 : 128)
        for (position, byte) in rest.enumerated() { block[position] = byte }
        block[rest.count] = 0x80
        for byte in 0..<8 {
            block[block.count - 1 - byte] = UInt8(truncatingIfNeeded: (count * 8) >> (8 * byte))
        }
        return block
    }

    /// Mixes one block of 64 bytes into `state`. `schedule` is scratch space for 64 words.
    private static func compress(
        _ block: UnsafeRawBufferPointer, _ state: inout [UInt32], _ schedule: UnsafeMutableBufferPointer<UInt32>
    ) {
        for i in 0..<16 {
            schedule[i] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * i, as: UInt32.self))
        }
        for i in 16..<64 {
            let (early, late) = (schedule[i - 15], schedule[i - 2])
            let small0 = rotate(early, 7) ^ rotate(early, 18) ^ early >> 3
            let small1 = rotate(late, 17) ^ rotate(late, 19) ^ late >> 10
            schedule[i] = schedule[i - 16] &+ small0 &+ schedule[i - 7] &+ small1
        }

        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for i in 0..<64 {
            let sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
            let choice = e & f ^ ~e & g
            let next = h &+ sum1 &+ choice &+ constants[i] &+ schedule[i]
            let sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
            let majority = a & b ^ a & c ^ b & c
            (h, g, f, e) = (g, f, e, d &+ next)
            (d, c, b, a) = (c, b, a, next &+ sum0 &+ majority)
        }
        for (i, word) in [a, b, c, d, e, f, g, h].enumerated() { state[i] &+= word }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    private static let initialState: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]

    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}
