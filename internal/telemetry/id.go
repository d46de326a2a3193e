package telemetry

import (
	"encoding/base64"
	"encoding/hex"
)

// DecodeID decodes the text of a trace or span id into id: hex, as OTLP's JSON
// has it; hex with its leading zeros left out; base64, as protobuf's own JSON
// has it; or base64 of the hex digits. Which one it is follows from its length
// and letters. Empty text is the id of zeros.
func DecodeID(text []byte, id []byte) bool {
	clear(id)
	if len(text) == 0 {
		return true
	}
	if len(text) == 2*len(id) {
		if _, err := hex.Decode(id, text); err == nil {
			return true
		}
	}
	if len(text) <= 2*len(id) && isHex(text) {
		return decodeHex(text, id)
	}
	var buf [64]byte
	if len(text) > 64 {
		return false
	}
	trimmed := text
	for len(trimmed) > 0 && trimmed[len(trimmed)-1] == '=' {
		trimmed = trimmed[:len(trimmed)-1]
	}
	n, err := base64.RawStdEncoding.Decode(buf[:], trimmed)
	if err != nil {
		if n, err = base64.RawURLEncoding.Decode(buf[:], trimmed); err != nil {
			return false
		}
	}
	switch {
	case n == len(id):
		copy(id, buf[:n])
		return true
	case n == 2*len(id) && isHex(buf[:n]):
		return decodeHex(buf[:n], id)
	}
	return false
}

func decodeHex(text []byte, id []byte) bool {
	if len(text) == 2*len(id) {
		_, err := hex.Decode(id, text)
		return err == nil
	}
	var full [32]byte
	digits := full[:2*len(id)]
	for i := range digits {
		digits[i] = '0'
	}
	copy(digits[len(digits)-len(text):], text)
	_, err := hex.Decode(id, digits)
	return err == nil
}

func isHex(text []byte) bool {
	for _, c := range text {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return false
		}
	}
	return true
}
